/** Where people's pictures are, apart from the calls: every page of the console shows one. */

export const avatarImagePath = '/public/renderImage/{fileName}';

export const avatarAddress = (fileName: string): string =>
  `/api${avatarImagePath.replace('{fileName}', encodeURIComponent(fileName))}`;

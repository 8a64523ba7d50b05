/** The address of users' pictures, separate from the endpoints because every page of the console shows one. */

export const avatarImagePath = '/public/renderImage/{fileName}';

export const avatarAddress = (fileName: string): string =>
  `/api${avatarImagePath.replace('{fileName}', encodeURIComponent(fileName))}`;

/** The mirror of real vendor feeds. */
import { describeWithShared, sharedFolder } from './shared-folder.ts';

/** Laid out as `publicationFrom` reads it. */
export const feedMirror = sharedFolder('feed-mirror');

export const describeWithMirror = describeWithShared('feed-mirror');

/** The mirror of real vendor feeds. */
import { describeWithShared, sharedFolder } from './shared-folder.ts';

/** Has the layout that `publicationFrom` reads. */
export const feedMirror = sharedFolder('feed-mirror');

export const describeWithMirror = describeWithShared('feed-mirror');

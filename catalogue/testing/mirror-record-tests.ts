/** Tests that a feed reads all records from its vendor's real documents, with the stated fields. */
import { expect, test } from 'vitest';
import type { Entry } from '../definition/feed.ts';
import { affectedWords } from '../definition/package-status.ts';
import { feedMirror } from './describe-with-mirror.ts';
import { findComplaints } from './find-complaints.ts';
import { applicationSubjects } from './mirror/application-records.ts';
import { debSubjects } from './mirror/deb-records.ts';
import { guideSubjects } from './mirror/guide-records.ts';
import { inOrder, type MirrorSubject, toRecordForm } from './mirror/mirror-record.ts';
import { rpmSubjects } from './mirror/rpm-records.ts';
import { ubuntuSubjects } from './mirror/ubuntu-records.ts';
import { updateinfoSubjects } from './mirror/updateinfo-records.ts';
import { publicationFrom } from './publication-from.ts';
import { readAllItems } from './read-all-items.ts';

const subjects: Readonly<Record<string, MirrorSubject>> = {
  ...rpmSubjects,
  ...updateinfoSubjects,
  ...debSubjects,
  ...ubuntuSubjects,
  ...applicationSubjects,
  ...guideSubjects,
};

export function testMirrorRecords(isTested: (subject: MirrorSubject) => boolean): void {
  const tested = Object.entries(subjects).filter(([, subject]) => isTested(subject));
  test.each(tested)(
    'has the records of %s with the fields that they state',
    async (_name, subject) => {
      const { part, count, says = [], documents = /./ } = subject;
      const publication = (await subject.publication?.()) ?? publicationFrom(feedMirror);
      const contents = await part.contents(publication);
      const read = await readAllItems(part, {
        ...contents,
        documents: contents.documents.filter(({ url }) => documents.test(url)),
      });
      const entries = read.filter((reading) => reading.kind === 'entry');
      expect(entries.flatMap(findComplaints)).toEqual([]);
      expect(entries.flatMap(({ unknownWords = [] }) => unknownWords)).toEqual([]);
      const others = read.flatMap((reading) =>
        reading.kind === 'remark'
          ? reading.remark
          : reading.kind === 'rejection'
            ? reading.rejected
            : [],
      );
      const expectedTexts =
        typeof says === 'number' ? Array.from({ length: says }, () => '') : says;
      expect(others).toEqual(expectedTexts.map((text) => expect.stringContaining(text)));
      const unfixed = read
        .filter((reading) => reading.kind === 'status')
        .filter(({ word }) => affectedWords.includes(word));
      expect(unfixed.map((of) => `${of.package} ${of.cve}`).toSorted()).toEqual(
        (subject.unfixed?.() ?? []).toSorted(),
      );
      const records = await subject.records();
      expect(new Set(records.map(({ key }) => key)).size).toBe(count);
      expect(records.flatMap(({ row }) => Object.values(row))).not.toEqual([]);
      expect(entries.map(({ key }) => key).toSorted()).toEqual(
        records.map(({ key }) => key).toSorted(),
      );
      const byKey = new Map(entries.map((entry) => [entry.key, entry]));
      for (const record of records) {
        const entry = byKey.get(record.key) as Entry;
        expect(toRecordForm(record, entry, subject)).toEqual(inOrder(record));
      }
    },
  );
}

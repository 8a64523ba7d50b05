/** Names of classifications by Microsoft's fixed ids, so that they match the list's choices whatever the offline scan file states. */
const classifications: Readonly<Record<string, string>> = {
  'e6cf1350-c01b-414d-a61f-263d14d133b4': 'Critical Updates',
  'e0789628-ce08-4437-be74-2495b842f43b': 'Definition Updates',
  'b54e7d24-7add-428f-8b75-90a396fa584f': 'Feature Packs',
  '0fa1201d-4330-4fa8-8ae9-b877473b6441': 'Security Updates',
  '68c5b0a3-d1a6-4553-ae49-01d3a7827828': 'Service Packs',
  'b4832bd8-e735-4761-8daf-37f882276dab': 'Tools',
  '28bc880e-0592-4cbf-8f95-c79b17911d5f': 'Update Rollups',
  'cd5ffd1e-e932-4e3a-bf74-18bf0b1bbd83': 'Updates',
  '3689bdc8-b205-4af4-8d4a-a63924c5e9d5': 'Upgrades',
};

/** @param getTitle returns the file's name of an unknown id; null without one */
export function findClassification(
  ids: readonly string[],
  getTitle: (id: string) => string | null,
): string | null {
  for (const id of ids) {
    const name = classifications[id] ?? getTitle(id);
    if (name !== null) return name;
  }
  return null;
}

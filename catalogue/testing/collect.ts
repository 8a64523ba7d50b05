/** Collects everything that an asynchronous reader yields, for tests on small documents. */
export async function collect<Element>(source: AsyncIterable<Element>): Promise<Element[]> {
  const elements: Element[] = [];
  for await (const element of source) elements.push(element);
  return elements;
}

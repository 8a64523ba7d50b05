/** Numbers of machines: the client's number and one within the client, so that a number tells the partition. See docs/decisions/050. */

/** Of one client, ever; numbers are not used again. */
const machinesAClient = 2 ** 26;
/** Machines whose numbers are kept together in part_machines: their numbers within it fit two bytes. */
export const machinesAChunk = 2048;

export const machineId = (clientId: number, number: number): number =>
  clientId * machinesAClient + number;

export const clientOfMachine = (id: number): number => Math.floor(id / machinesAClient);

export const numberOfMachine = (id: number): number => id % machinesAClient;

export const chunkOfMachine = (id: number): number =>
  Math.floor(numberOfMachine(id) / machinesAChunk);

export const firstOfChunk = (clientId: number, chunk: number): number =>
  machineId(clientId, chunk * machinesAChunk);

export const numberInChunk = (id: number): number => numberOfMachine(id) % machinesAChunk;

/**
 * Ids of machines consist of the client's id and a number within the client, so that an id determines the partition. See
 * docs/decisions/050.
 */

/** Maximum per client over all time: numbers are not reused. */
const maxMachinesPerClient = 2 ** 26;
/** Machines that share a row of part_machines. Their numbers within it fit two bytes. */
export const machinesPerChunk = 2048;

export const machineId = (clientId: number, number: number): number =>
  clientId * maxMachinesPerClient + number;

export const clientOfMachine = (id: number): number => Math.floor(id / maxMachinesPerClient);

export const numberOfMachine = (id: number): number => id % maxMachinesPerClient;

export const chunkOfMachine = (id: number): number =>
  Math.floor(numberOfMachine(id) / machinesPerChunk);

export const firstOfChunk = (clientId: number, chunk: number): number =>
  machineId(clientId, chunk * machinesPerChunk);

export const numberInChunk = (id: number): number => numberOfMachine(id) % machinesPerChunk;

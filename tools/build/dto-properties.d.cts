/** Returns the source of a DTO file with its described properties, on the same lines. Other files are returned as they are. */
export function describeProperties(source: string, file: string): string;

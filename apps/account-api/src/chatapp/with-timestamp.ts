/** Converts the timestamp of a request to a Date. */
export function withTimestamp<Request extends { validFrom?: string }>({
  validFrom,
  ...rest
}: Request): Omit<Request, 'validFrom'> & { validFrom?: Date } {
  return { ...rest, ...(validFrom === undefined ? {} : { validFrom: new Date(validFrom) }) };
}

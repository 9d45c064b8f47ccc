/** A request as the catalog takes it: the moment a date. */
export function withMoment<Request extends { validFrom?: string }>({
  validFrom,
  ...rest
}: Request): Omit<Request, 'validFrom'> & { validFrom?: Date } {
  return { ...rest, ...(validFrom === undefined ? {} : { validFrom: new Date(validFrom) }) };
}

/** OpenAPI schemas that several DTOs use. */
export const optionalText = { type: String, nullable: true } as const;
export const optionalTimestamp = { type: String, format: 'date-time', nullable: true } as const;

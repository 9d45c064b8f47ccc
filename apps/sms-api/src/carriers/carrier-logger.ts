/** What carriers need of a logger; pino's has this shape. */
export interface CarrierLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

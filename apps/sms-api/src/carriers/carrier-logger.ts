/** The logger methods that carriers use; compatible with pino. */
export interface CarrierLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

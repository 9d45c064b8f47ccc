/** The fields of a row by their names in the v1 API. */
export type ReportRow = Readonly<Record<string, unknown>>;

/** Writes rows to a stream, at the speed of the stream. */
export interface RowWriter {
  write(rows: readonly ReportRow[]): Promise<void>;
  /** Ends the stream. */
  end(): Promise<void>;
}

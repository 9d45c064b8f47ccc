/** The fields of a row by their names in the v1 API. */
export type ReportRow = Readonly<Record<string, unknown>>;

/** A format whose rows are text that can be appended to a file. */
export interface TextFormat {
  /** The beginning of a file. */
  header(columns: readonly string[]): string;
  lines(columns: readonly string[], rows: readonly ReportRow[]): string;
}

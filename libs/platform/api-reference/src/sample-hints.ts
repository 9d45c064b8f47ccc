/** The name of the extension in the OpenAPI document. */
export const SAMPLE = 'x-sample';

/** Where a sample gets a value that differs in every installation. */
export type SampleValue =
  /** A value that is valid in every installation. */
  | string
  /** A field of the response of a GET request; by default the id of the first entry, or of the first that contains a text. */
  | { get: string; field?: string; match?: string }
  /**
   * A field of the response of the POST request at a path, with a body, or with the sample body of that operation and
   * some changes; then POST requests at other paths, whose last parameter is the value.
   */
  | { create: string; body?: object; with?: object; field?: string; then?: readonly string[] }
  /** The reader sets the variable; the text says to which value. */
  | { given: string }
  /** Output of a shell command. It may refer to the body as `$BODY`. */
  | { run: string };

export interface SampleHints {
  /** A valid request body for the demo data of the local stack, which becomes the example in the OpenAPI document. */
  body?: unknown;
  /** The type of the body in the sample. Default: JSON, or else the first type. */
  contentType?: string;
  /** Query parameters in addition to the required ones. */
  query?: Record<string, string>;
  /**
   * Sources of path and query parameters, headers and body fields by their names. Default for a path parameter without
   * an example: the first entry of the list at the path before it.
   */
  values?: Record<string, SampleValue>;
  /** The complete URL, for operations with signed URLs. */
  url?: SampleValue;
  /** Shell commands that are executed first, such as one that creates a file. */
  before?: readonly string[];
}

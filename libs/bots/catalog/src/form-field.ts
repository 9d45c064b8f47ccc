/** The type in the API; `tel` and `mobile` are aliases of `phone`. */
export const FIELD_TYPES = [
  'text',
  'email',
  'phone',
  'tel',
  'mobile',
  'textarea',
  'select',
  'date',
  'time',
  'number',
  'url',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export interface FormField {
  /** Unique within the form; the key of the answer. */
  key: string;
  label: string;
  type: FieldType;
  required: boolean;
  /** The choices of a `select` field; other types have none. */
  options?: string[];
}

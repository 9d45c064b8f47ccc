/** As a form spells it; `tel` and `mobile` are `phone`. */
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
  /** Unique within the form; answers are given under it. */
  key: string;
  label: string;
  type: FieldType;
  required: boolean;
  /** Of `select` alone: what may be chosen. */
  options?: string[];
}

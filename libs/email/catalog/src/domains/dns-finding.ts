export type DnsRecordPurpose = 'ownership' | 'dkim' | 'spf' | 'return_path' | 'dmarc' | 'tracking';
/** `pending`: no record, or the look-up failed. `failed`: a record with another value. */
export type DnsRecordStatus = 'pending' | 'verified' | 'failed';

/** The result of a check for one record. */
export interface DnsFinding {
  purpose: DnsRecordPurpose;
  status: DnsRecordStatus;
  /** The current values. */
  found: string[];
}

import { Optional, IsTrueOrFalse } from '../../../http/rules';

export class EmailTracking {
  opens: boolean;
  clicks: boolean;
}

export class OneEmailTracking {
  /** An email is tracked only if its workspace, its API key and the send itself allow it. */
  tracking: EmailTracking;
}

export class SetEmailTrackingRequest {
  /** New value of the setting. It is not changed if omitted. */
  @Optional()
  @IsTrueOrFalse()
  opens?: boolean;
  /** New value of the setting. It is not changed if omitted. */
  @Optional()
  @IsTrueOrFalse()
  clicks?: boolean;
}

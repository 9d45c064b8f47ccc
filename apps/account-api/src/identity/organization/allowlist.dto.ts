import { ApiProperty } from '@nestjs/swagger';
import { rule } from '@heliograph/service-kit';
import { Optional, IsTrueOrFalse } from '../../http/rules';
import { normalizeEntry } from './normalize-entry';

const MAX_ENTRIES = 500;

const IsAddressList = () =>
  rule(
    'isAddressList',
    `must be a list of at most ${MAX_ENTRIES} IP addresses and CIDRs, such as 203.0.113.0/24`,
    (value) =>
      Array.isArray(value) &&
      value.length <= MAX_ENTRIES &&
      value.every((entry) => typeof entry === 'string' && normalizeEntry(entry) !== null),
  );

export class Allowlist {
  /** IP addresses and CIDR ranges. An empty list allows every address. */
  entries: string[];
}

export class ReplaceAllowlistRequest {
  /** @example ["203.0.113.0/24","2001:db8::7"] */
  @ApiProperty({ maxItems: MAX_ENTRIES })
  @IsAddressList()
  entries: string[];

  /**
   * If `true`, the list is saved even if it does not contain the address of this request.
   * @default false
   */
  @Optional()
  @IsTrueOrFalse()
  force: boolean = false;
}

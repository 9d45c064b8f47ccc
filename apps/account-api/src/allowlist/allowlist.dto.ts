import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsFlag, MayBeAbsent, rule } from '../http/rules';
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
  @ApiProperty({ type: [String], description: 'Empty: keys work from anywhere' })
  entries: string[];
}

export class ReplaceAllowlistRequest {
  @ApiProperty({ type: [String], example: ['203.0.113.0/24', '2001:db8::7'], maxItems: MAX_ENTRIES })
  @IsAddressList()
  entries: string[];

  @ApiPropertyOptional({ default: false, description: 'Even when the address of this very call is not on it' })
  @MayBeAbsent()
  @IsFlag()
  force: boolean = false;
}

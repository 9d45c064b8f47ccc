import { CREDIT_TYPES, type CreditType } from '@heliograph/contracts';

export interface RegistrationCredits {
  creditType: CreditType;
  amount: number;
}

/** Reads a list such as `sms:100,email:100`; null if it is invalid. */
export function readRegistrationCredits(text: string): RegistrationCredits[] | null {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => /^([a-z]+):(\d{1,12})$/.exec(entry));
  const credits = entries.map((match) => ({ creditType: match?.[1] as CreditType, amount: Number(match?.[2] ?? 0) }));
  const isValid = credits.every(({ creditType, amount }) => CREDIT_TYPES.includes(creditType) && amount > 0);
  return isValid && new Set(credits.map(({ creditType }) => creditType)).size === credits.length ? credits : null;
}

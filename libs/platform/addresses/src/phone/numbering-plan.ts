import { Metadata, type MetadataJson } from 'libphonenumber-js/core';
import { getCountries, getCountryCallingCode, type CountryCode } from 'libphonenumber-js/max';
import json from 'libphonenumber-js/max/metadata';

const MAX_CALLING_CODE_LENGTH = 3;
const TYPES = [
  'FIXED_LINE',
  'MOBILE',
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
];

/** The methods of a numbering plan that libphonenumber-js has no types for. */
interface LibraryPlan {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
}

/** The compiled numbering plan of a country that shares its calling code with no other country. */
interface NumberingPlan {
  country: string;
  callingCode: string;
  /** Matches numbers that begin with a trunk prefix, which the library may remove. */
  trunkPrefix: RegExp | null;
  general: RegExp;
  types: { lengths: number[] | undefined; pattern: RegExp }[];
}

const plans = new Map<string, NumberingPlan | null>();

/**
 * The country of a number in E.164; null if the number is not valid there. Undefined if only the library can decide: for calling
 * codes of several countries or of none, and for numbers that may begin with a trunk prefix.
 *
 * The library compiles up to a dozen regular expressions for each number. Here they are compiled once for each country.
 */
export function countryOf(e164: string): string | null | undefined {
  const plan = planOf(e164);
  if (!plan) return undefined;
  const number = e164.slice(1 + plan.callingCode.length);
  if (plan.trunkPrefix?.test(number)) return undefined;
  const isValid =
    plan.general.test(number) &&
    plan.types.some(({ lengths, pattern }) => (lengths?.includes(number.length) ?? true) && pattern.test(number));
  return isValid ? plan.country : null;
}

/** Returns the plan of the calling code of a number. A number has only one, because no calling code is a prefix of another one. */
function planOf(e164: string): NumberingPlan | null {
  for (let length = 1; length <= MAX_CALLING_CODE_LENGTH; length++) {
    const callingCode = e164.slice(1, 1 + length);
    const countries = countriesByCallingCode.get(callingCode);
    if (!countries) continue;
    const [country, another] = countries;
    if (country === undefined || another !== undefined) return null;
    let plan = plans.get(callingCode);
    if (plan === undefined) plans.set(callingCode, (plan = compile(country, callingCode)));
    return plan;
  }
  return null;
}

const countriesByCallingCode = new Map<string, CountryCode[]>();
for (const country of getCountries()) {
  const callingCode = getCountryCallingCode(country);
  countriesByCallingCode.set(callingCode, [...(countriesByCallingCode.get(callingCode) ?? []), country]);
}

function compile(country: CountryCode, callingCode: string): NumberingPlan | null {
  const metadata = new Metadata(json as unknown as MetadataJson);
  metadata.selectNumberingPlan(country);
  const plan = metadata.numberingPlan as unknown as LibraryPlan;
  const types = TYPES.flatMap((name) => {
    const type = plan.type(name);
    return type?.pattern() ? [{ lengths: type.possibleLengths(), pattern: entire(type.pattern()) }] : [];
  });
  if (types.length === 0) return null;
  const prefix = plan.nationalPrefixForParsing();
  return {
    country,
    callingCode,
    types,
    trunkPrefix: prefix ? new RegExp(`^(?:${prefix})`) : null,
    general: entire(plan.nationalNumberPattern()),
  };
}

function entire(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

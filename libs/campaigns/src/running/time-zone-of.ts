import type { Contact } from '@heliograph/contacts';
import { parseNumber } from '@heliograph/addresses';

/** Main time zones of countries that have several: the zone of most inhabitants. */
const MAIN_ZONES: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Pohnpei',
  GL: 'America/Nuuk',
  ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa',
  KZ: 'Asia/Almaty',
  MH: 'Pacific/Majuro',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PS: 'Asia/Hebron',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  UM: 'Pacific/Wake',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
  VN: 'Asia/Ho_Chi_Minh',
};
interface LocaleZones extends Intl.Locale {
  getTimeZones?: () => string[] | undefined;
  timeZones?: string[];
}

const FALLBACK = 'UTC';
const zones = new Map<string, string>();

/**
 * The time zone of a contact: its own, else the main zone of its country, else of the country of its phone number, else
 * UTC.
 */
export function timeZoneOf({ timeZone, country, phone }: Pick<Contact, 'timeZone' | 'country' | 'phone'>): string {
  if (timeZone !== null) return timeZone;
  const code = country ?? (phone === null ? null : (parseNumber(phone)?.country ?? null));
  if (code === null) return FALLBACK;
  let zone = zones.get(code);
  if (zone === undefined) zones.set(code, (zone = MAIN_ZONES[code] ?? zoneOfCountry(code)));
  return zone;
}

function zoneOfCountry(country: string): string {
  // From Unicode CLDR. Newer versions of V8 have a method instead of the property; the TypeScript types have neither.
  const locale = new Intl.Locale(`und-${country}`) as LocaleZones;
  return (locale.getTimeZones?.() ?? locale.timeZones)?.[0] ?? FALLBACK;
}

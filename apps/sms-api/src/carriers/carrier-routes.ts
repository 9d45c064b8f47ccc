import type { Carrier } from './carrier';

/** A carrier and the countries it serves: ISO 3166-1 alpha-2 codes, `*` for any. */
export interface CarrierRoute<T extends Carrier = Carrier> {
  carrier: T;
  countries: readonly string[];
}

const ANY_COUNTRY = '*';

/** Which carriers serve a country, in the order in which they are to be tried. */
export class CarrierRoutes<T extends Carrier = Carrier> {
  private readonly byCountry = new Map<string, T[]>();

  /** `routes` in order of preference. */
  constructor(private readonly routes: readonly CarrierRoute<T>[]) {}

  /** Those that name the country first, then those that take any; empty when nobody does. */
  carriersFor(country: string): readonly T[] {
    const known = this.byCountry.get(country);
    if (known) return known;
    const specific = this.routes.filter(({ countries }) => countries.includes(country));
    const general = this.routes.filter((route) => route.countries.includes(ANY_COUNTRY) && !specific.includes(route));
    const carriers = [...specific, ...general].map(({ carrier }) => carrier);
    // Only real codes are kept: the key comes from data, and the map must not grow with it.
    if (/^[A-Z]{2}$/.test(country)) this.byCountry.set(country, carriers);
    return carriers;
  }

  /** The first carrier for the country that is bound now; null when there is none. */
  pickCarrier(country: string): T | null {
    return this.carriersFor(country).find((carrier) => carrier.bound) ?? null;
  }
}

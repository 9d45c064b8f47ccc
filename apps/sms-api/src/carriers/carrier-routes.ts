import type { Carrier } from './carrier';

/** A carrier and the countries it serves: ISO 3166-1 alpha-2 codes, or `*` for every country. */
export interface CarrierRoute<T extends Carrier = Carrier> {
  carrier: T;
  countries: readonly string[];
}

const ANY_COUNTRY = '*';

/** Selects the carriers that serve a country, in order of preference. */
export class CarrierRoutes<T extends Carrier = Carrier> {
  private readonly byCountry = new Map<string, T[]>();

  /** `routes` in order of preference. */
  constructor(private readonly routes: readonly CarrierRoute<T>[]) {}

  /** Carriers that list the country, followed by carriers for any country. Empty if no carrier serves it. */
  carriersFor(country: string): readonly T[] {
    const known = this.byCountry.get(country);
    if (known) return known;
    const specific = this.routes.filter(({ countries }) => countries.includes(country));
    const general = this.routes.filter((route) => route.countries.includes(ANY_COUNTRY) && !specific.includes(route));
    const carriers = [...specific, ...general].map(({ carrier }) => carrier);
    // Cache only well-formed codes: the key comes from data and must not make the map grow without bound.
    if (/^[A-Z]{2}$/.test(country)) this.byCountry.set(country, carriers);
    return carriers;
  }

  /** The first bound carrier for the country; null if there is none. */
  pickCarrier(country: string): T | null {
    return this.carriersFor(country).find((carrier) => carrier.bound) ?? null;
  }
}

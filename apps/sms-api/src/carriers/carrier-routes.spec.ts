import type { Carrier } from './carrier';
import { CarrierRoutes } from './carrier-routes';

interface Named extends Carrier {
  bound: boolean;
}

function carrier(name: string, bound = true): Named {
  return {
    name,
    bound,
    window: { used: 0, size: 0 },
    start: () => undefined,
    acquire: async () => false,
    submit: async () => ({ kind: 'unbound' }),
    release: () => undefined,
    stop: async () => undefined,
  };
}

describe('CarrierRoutes', () => {
  const world = carrier('world');
  const india = carrier('india');
  const asia = carrier('asia');
  const routes = new CarrierRoutes<Named>([
    { carrier: world, countries: ['*'] },
    { carrier: india, countries: ['IN'] },
    { carrier: asia, countries: ['IN', 'SG', '*'] },
  ]);

  afterEach(() => [world, india, asia].forEach((each) => (each.bound = true)));

  it('prefers carriers that list the country over carriers for any country', () => {
    expect(routes.carriersFor('IN')).toEqual([india, asia, world]);
    expect(routes.carriersFor('SG')).toEqual([asia, world]);
    expect(routes.carriersFor('DE')).toEqual([world, asia]);
  });

  it('fails over to the next bound carrier', () => {
    india.bound = false;
    expect(routes.pickCarrier('IN')).toBe(asia);
    asia.bound = false;
    expect(routes.pickCarrier('IN')).toBe(world);
    world.bound = false;
    expect(routes.pickCarrier('IN')).toBeNull();
  });

  it('returns no carrier for a country without coverage', () => {
    expect(new CarrierRoutes([{ carrier: india, countries: ['IN'] }]).pickCarrier('DE')).toBeNull();
  });
});

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

describe('carrier routes', () => {
  const world = carrier('world');
  const india = carrier('india');
  const asia = carrier('asia');
  const routes = new CarrierRoutes<Named>([
    { carrier: world, countries: ['*'] },
    { carrier: india, countries: ['IN'] },
    { carrier: asia, countries: ['IN', 'SG', '*'] },
  ]);

  afterEach(() => [world, india, asia].forEach((each) => (each.bound = true)));

  it('try those that name the country before those that take any', () => {
    expect(routes.carriersFor('IN')).toEqual([india, asia, world]);
    expect(routes.carriersFor('SG')).toEqual([asia, world]);
    expect(routes.carriersFor('DE')).toEqual([world, asia]);
  });

  it('fail over to the next carrier that is bound', () => {
    india.bound = false;
    expect(routes.pickCarrier('IN')).toBe(asia);
    asia.bound = false;
    expect(routes.pickCarrier('IN')).toBe(world);
    world.bound = false;
    expect(routes.pickCarrier('IN')).toBeNull();
  });

  it('find nobody where nobody serves', () => {
    expect(new CarrierRoutes([{ carrier: india, countries: ['IN'] }]).pickCarrier('DE')).toBeNull();
  });
});

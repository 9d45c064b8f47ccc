import { routeEndpoint } from './route-endpoint';

const ID = '0198f5d4-0000-7000-8000-00000000abcd';
const requestWith = (params: Record<string, string>, method = 'POST') => ({
  method,
  route: { path: '/api/workspaces/:id/bots/:botId' },
  params,
});

describe('the endpoint of a route', () => {
  it('is the same for an id in upper case', () => {
    const endpoint = routeEndpoint(requestWith({ id: ID, botId: 'bot_1' }));
    expect(routeEndpoint(requestWith({ id: ID.toUpperCase(), botId: 'bot_1' }))).toBe(endpoint);
  });

  it.each([
    ['method', requestWith({ id: ID, botId: 'bot_1' }, 'PUT')],
    ['parameter', requestWith({ id: ID, botId: 'bot_2' })],
    ['case of a parameter that is not a UUID', requestWith({ id: ID, botId: 'BOT_1' })],
    ['parameter that contains the separators', requestWith({ id: `${ID}","botId":"bot_1`, botId: '' })],
  ])('differs for another %s', (_, request) => {
    expect(routeEndpoint(request)).not.toBe(routeEndpoint(requestWith({ id: ID, botId: 'bot_1' })));
  });
});

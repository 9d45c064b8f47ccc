import { RequestLog } from './request-log';

const request = (to: string) => ({ method: 'POST', path: '/', query: {}, body: { to }, at: '' });

describe('the log of requests', () => {
  it('forgets the oldest past a number of requests or bytes', () => {
    const log = new RequestLog({ maxRequests: 3, maxBytes: 1_000 });
    for (const to of ['1', '2', '3', '4']) log.add(request(to), 10);
    expect(log.list().map(({ body }) => body)).toEqual([{ to: '2' }, { to: '3' }, { to: '4' }]);
    log.add(request('5'), 995);
    expect(log.list()).toEqual([request('5')]);
  });

  it('finds a recipient by its digits', () => {
    const log = new RequestLog({ maxRequests: 3, maxBytes: 1_000 });
    log.add(request('+49 1'), 10);
    log.add({ ...request('2'), body: null }, 0);
    expect(log.list('491')).toEqual([request('+49 1')]);
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { paceRequests } from './pace-requests';

it('simultaneous requests are distributed over event-loop turns, and each gets one response', async () => {
  let turn = 0;
  const turns: number[] = [];
  const server = createServer((_request, response) => {
    turns.push(turn);
    response.end('ok');
  });
  paceRequests(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let running = true;
  const count = (): void => {
    turn++;
    if (running) setImmediate(count);
  };
  count();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answers = await Promise.all(Array.from({ length: 200 }, async () => (await fetch(url)).text()));
  running = false;
  expect(answers).toEqual(Array.from({ length: 200 }, () => 'ok'));
  const inOneTurn = new Map<number, number>();
  for (const one of turns) inOneTurn.set(one, (inOneTurn.get(one) ?? 0) + 1);
  expect(turns).toHaveLength(200);
  // At most eight requests of one turn, and the requests of the next turn that started before the counter.
  expect(Math.max(...inOneTurn.values())).toBeLessThanOrEqual(16);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

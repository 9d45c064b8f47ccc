import { Inbox } from './inbox';

const envelope = { from: 'a@x.example', to: ['b@x.example'] };
const ids = (inbox: Inbox) => inbox.list().map(({ id }) => id);

describe('the inbox of the mail server', () => {
  it('forgets the oldest past its number of mails', () => {
    const inbox = new Inbox({ maxMails: 2, maxBytes: 1_000 });
    for (let i = 0; i < 4; i++) inbox.add(envelope, Buffer.alloc(1));
    expect(ids(inbox)).toEqual([3, 4]);
    expect(inbox.get(2)).toBeUndefined();
    expect(inbox.received).toBe(4);
  });

  it('forgets the oldest past its octets', () => {
    const inbox = new Inbox({ maxMails: 100, maxBytes: 100 });
    for (let i = 0; i < 5; i++) inbox.add(envelope, Buffer.alloc(40));
    expect(ids(inbox)).toEqual([4, 5]);
    inbox.clear();
    inbox.add(envelope, Buffer.alloc(100));
    expect(ids(inbox)).toEqual([6]);
  });
});

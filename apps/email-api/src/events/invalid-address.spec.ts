import { isInvalidAddress } from './invalid-address';

describe('an address is invalid', () => {
  it.each(['5.1.1', '5.1.10', '5.4.4'])('by the status %s', (status) => {
    expect(isInvalidAddress(status, null)).toBe(true);
  });

  it.each([
    '550 User unknown',
    '550 No such user here',
    '550 <jane@acme.example>: Recipient address rejected: User unknown in local recipient table',
    '550 sorry, no mailbox here by that name',
    '550-The user you tried to reach is unknown\n550 unknown user',
    "550 Mailbox doesn't exist",
    '550 Invalid recipient jane@acme.example',
    '550 Unrouteable address',
    '192.0.2.1 does not like recipient.\nRemote host said: 550 Recipient not found\nGiving up on 192.0.2.1.',
    'host mx.acme.example[192.0.2.1] said: 550 Unknown user (in reply to RCPT TO command)',
  ])('by the wording %j without an enhanced status code', (response) => {
    expect(isInvalidAddress(null, response)).toBe(true);
    expect(isInvalidAddress('5.0.0', response)).toBe(true);
  });

  it.each([
    ['5.2.2', '550 User unknown'],
    ['5.7.1', '550 User unknown'],
    ['4.4.4', null],
    ['5.4.41', null],
    ['4.0.0', '550 User unknown'],
    [null, '550 5.7.1 User unknown'],
    [null, '554 User unknown'],
    [null, '450 User unknown'],
    [null, '550 Requested action not taken: mailbox unavailable'],
    [null, '550 Mailbox is full'],
    [null, '550 Sender address does not exist'],
    [null, '550 MAIL FROM: unknown user'],
    [null, '550 blocked: user unknown to the spam filter'],
    [null, '550 <no such user@acme.example> rejected'],
    [null, '550 unknown-user@acme.example is over quota'],
    [null, null],
  ])('but not with the status %s and the response %j', (status, response) => {
    expect(isInvalidAddress(status, response)).toBe(false);
  });
});

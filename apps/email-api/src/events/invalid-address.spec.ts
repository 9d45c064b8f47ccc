import { isDeadDomain, isInvalidAddress, isUnknownMailbox } from './invalid-address';

describe('an address is classified as invalid', () => {
  it.each(['5.1.1', '5.1.10'])('by the enhanced status code %s', (status) => {
    expect(isInvalidAddress(status)).toBe(true);
  });

  it.each(['5.0.0', '5.2.2', '5.4.4', '5.7.1', '5.11.1', '4.1.1', null])('but not by %s', (status) => {
    expect(isInvalidAddress(status)).toBe(false);
  });
});

describe('an address is not classified as invalid by a fault of the sender', () => {
  it.each(['5.1.7', '5.1.8', '5.1.9', '5.1.90', '5.1.91', '5.1.99'])('with the code %s', (status) => {
    expect(isInvalidAddress(status)).toBe(false);
    expect(isUnknownMailbox(status, '550 no such user')).toBe(false);
  });
});

describe('a mailbox is classified as unknown by the text of the response', () => {
  it.each([
    ['5.4.1', '550 5.4.1 Recipient address rejected: Access denied. [AM7EUR03FT026.eop.example]'],
    ['5.4.1', '550 5.4.1 [ann@acme.example]: Recipient address rejected: Access denied'],
    ['5.0.0', "554 delivery error: dd This user doesn't have a yahoo.com account (ann@yahoo.com) [0] - mta1.example"],
    ['5.0.0', '554 30 Sorry, your message to ann@acme.example cannot be delivered. This mailbox does not exist (30).'],
    [null, '550 no such user'],
    [null, '550 User unknown'],
    ['5.7.1', '550 5.7.1 <ann@acme.example>: Recipient address rejected: User unknown in virtual mailbox table'],
    ['5.7.1', '550 5.7.1 Recipient address rejected: user unknown in relay recipient table'],
    [null, '550-5.1.1 The email account that you tried to reach does not exist. Please try double-checking'],
    ['5.5.0', '550 5.5.0 Unknown recipient'],
    ['5.0.0', '550 Mailbox not found'],
    ['5.0.0', '550 sorry, no mailbox here by that name'],
    ['5.3.0', '550 5.3.0 <ann@acme.example>... No such user here'],
    [null, '550 RESOLVER.ADR.RecipNotFound; not found'],
    [null, '550 This user doesn’t have an account here'],
    [null, '550 ann@acme.example is not a valid mailbox'],
    [null, '550 The address is no longer valid'],
  ])('%s %s', (status, response) => {
    expect(isUnknownMailbox(status, response)).toBe(true);
  });

  it.each([
    ['5.7.1', '554 5.7.1 <ann@acme.example>: Recipient address rejected: Access denied'],
    ['5.4.1', '550 5.4.1 No answer from host'],
    ['5.2.2', '552 5.2.2 user unknown or over quota'],
    ['5.7.1', '550 5.7.1 Sender address rejected: user unknown'],
    [null, '550 Sender verify failed: No such user here'],
    [null, '550 5.1.8 the sender address does not exist'],
    [null, '550 Requested action not taken: mailbox unavailable'],
    ['5.7.1', '550 5.7.1 blocked as spam; unknown user agent'],
    [null, '550 The domain of the address does not exist'],
    [null, '550 Unknown domain'],
    [null, '550 <no.such.user@acme.example>: not today'],
    ['4.1.1', '450 4.1.1 User unknown, try again'],
    ['5.2.1', '550 5.2.1 The account is disabled'],
    ['5.0.0', null],
  ])('but not %s %s', (status, response) => {
    expect(isUnknownMailbox(status, response)).toBe(false);
  });
});

describe('a domain is classified as unable to receive mail', () => {
  it.each(['4.4.4', '5.4.4', '4.1.2', '5.1.2', '5.1.10'])('by the enhanced status code %s', (status) => {
    expect(isDeadDomain(status, null)).toBe(true);
  });

  it.each([
    [
      '4.4.3',
      'Host or domain name not found. Name service error for name=acme.example type=MX: Host not found, try again',
    ],
    ['4.0.0', '450 <jane@acme.example>: Recipient address rejected: Domain not found'],
    [null, '550 Host unknown'],
    [null, '550-No such domain\n550 acme.example'],
    ['5.0.0', 'Unrouteable mail domain "acme.example"'],
    ['5.1.0', 'Domain acme.example does not accept mail (nullMX)'],
    [null, "Sorry, I couldn't find any host named acme.example."],
    [null, 'all relevant MX records point to non-existent hosts'],
  ])('by the status code %s with the response %j', (status, response) => {
    expect(isDeadDomain(status, response)).toBe(true);
  });

  it.each([
    ['4.1.8', '450 4.1.8 Sender address rejected: Domain not found'],
    ['5.7.1', '550 5.7.1 Domain not found'],
    ['4.2.2', '452 4.2.2 mailbox full'],
    ['4.4.1', 'connect to mx.acme.example[192.0.2.1]:25: Connection timed out'],
    [null, '550 Helo command rejected: Host not found'],
    [null, '550 <domain-not-found@acme.example> no'],
    [null, '550 user unknown'],
    [null, null],
  ])('but not by the status code %s with the response %j', (status, response) => {
    expect(isDeadDomain(status, response)).toBe(false);
  });
});

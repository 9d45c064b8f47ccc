import { isDeadDomain, isInvalidAddress } from './invalid-address';

describe('an address is classified as invalid', () => {
  it.each(['5.1.1', '5.1.10'])('by the enhanced status code %s', (status) => {
    expect(isInvalidAddress(status)).toBe(true);
  });

  it.each(['5.0.0', '5.2.2', '5.4.4', '5.7.1', '5.11.1', '4.1.1', null])('but not by %s', (status) => {
    expect(isInvalidAddress(status)).toBe(false);
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

import { connectionProblem } from './connection-problem';

describe('the reason of a failed connection', () => {
  it.each([
    [
      { message: 'connect ECONNREFUSED 10.1.2.3:587', code: 'ESOCKET', originalCode: 'ECONNREFUSED' },
      'refuses connections',
    ],
    [{ message: 'Connection timeout', code: 'ETIMEDOUT' }, 'does not respond'],
    [{ message: 'Greeting never received', code: 'ETIMEDOUT' }, 'does not respond'],
    [{ message: 'getaddrinfo ENOTFOUND mx.internal', code: 'EDNS', originalCode: 'ENOTFOUND' }, 'does not resolve'],
    [{ message: 'Error initiating TLS - certificate has expired', code: 'ETLS' }, '(certificate has expired)'],
    [
      { message: "Hostname/IP does not match certificate's altnames: Host: mx.internal. is not in …", code: 'ESOCKET' },
      "(Hostname/IP does not match certificate's altnames)",
    ],
    [
      { message: 'Error upgrading connection with STARTTLS: 502 5.5.1 no', code: 'ETLS', response: '502 5.5.1 no' },
      'does not offer STARTTLS (502 5.5.1)',
    ],
    [
      { message: 'Invalid login: 535 5.7.8 who is bob?', code: 'EAUTH', response: '535 5.7.8 who is bob?' },
      'rejects the login (535 5.7.8)',
    ],
    [{ message: 'Invalid greeting', code: 'EPROTOCOL', response: '554 not you, 10.1.2.3' }, 'refuses sessions (554)'],
    [{ message: 'Connection closed unexpectedly', code: 'ECONNECTION' }, 'closes connections'],
  ])('for %j is one clause without addresses or credentials', (failure, expected) => {
    const problem = connectionProblem(failure);
    expect(problem).toContain(expected);
    expect(problem).not.toMatch(/10\.1\.2\.3|mx\.internal|bob/);
  });
});

import { LoginHistory } from './login-history';

const attempt = (account: string, network: string, isKnownDevice = false) => ({ account, network, isKnownDevice });

describe('the lane of a login', () => {
  it('is that of logins without failures, until an account or a network has failed several times', () => {
    const history = new LoginHistory();
    for (let n = 0; n < 3; n++) {
      expect(history.laneOf(attempt('ann', `network ${n}`))).toEqual({ kind: 'fresh', owner: `network ${n}` });
      history.note(attempt('ann', `network ${n}`), false);
    }
    expect(history.laneOf(attempt('ann', 'another network')).kind).toBe('suspect');
    for (let n = 0; n < 10; n++) history.note(attempt(`account ${n}`, 'one network'), false);
    expect(history.laneOf(attempt('bob', 'one network')).kind).toBe('suspect');
    expect(history.laneOf(attempt('bob', 'another network')).kind).toBe('fresh');
  });

  it('is known for a browser or network of an earlier login, whatever others do', () => {
    const history = new LoginHistory();
    history.note(attempt('ann', 'home'), true);
    for (let n = 0; n < 50; n++) history.note(attempt('ann', `network ${n}`), false);
    expect(history.laneOf(attempt('ann', 'home'))).toEqual({ kind: 'known', owner: 'ann' });
    expect(history.laneOf(attempt('ann', 'network 1', true)).kind).toBe('known');
    expect(history.laneOf(attempt('bob', 'home')).kind).toBe('fresh');
  });
});

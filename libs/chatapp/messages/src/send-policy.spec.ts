import { stateOf, type RecordedConversation } from './conversation-state';
import { termsOf } from './send-policy';

const HOUR_MS = 60 * 60_000;
const NOW = new Date('2026-11-30T23:59:59.000Z');

function state(more: Partial<RecordedConversation> = {}) {
  return stateOf({ upstream_number: null, last_inbound_at: null, consents: [], read_at: NOW, ...more });
}
const inboundAgo = (ms: number) => state({ last_inbound_at: new Date(NOW.getTime() - ms) });

const TEMPLATE = { needs_window: false, is_free_in_window: false, monthly_limit: null };
const UTILITY = { ...TEMPLATE, is_free_in_window: true };
const TEXT = { needs_window: true, is_free_in_window: true, monthly_limit: 1_000 };

describe('the terms of a send', () => {
  it('refuse a recipient who has opted out, before the window is considered', () => {
    expect(termsOf(TEXT, state({ consents: ['opted_in', 'opted_out'] }))).toBe('opted_out');
    expect(termsOf(TEMPLATE, state({ consents: ['opted_in', 'pending'] }))).toMatchObject({ is_free: false });
  });

  it('require an inbound message within 24 hours for everything but templates', () => {
    expect(termsOf(TEXT, state())).toBe('window_closed');
    expect(termsOf(TEXT, inboundAgo(24 * HOUR_MS))).toBe('window_closed');
    expect(termsOf(TEXT, inboundAgo(24 * HOUR_MS - 1))).toMatchObject({ is_free: false });
    expect(termsOf(TEMPLATE, inboundAgo(24 * HOUR_MS))).toMatchObject({ is_free: false });
  });

  it('apply the free allowance in an open window only', () => {
    expect(termsOf(UTILITY, inboundAgo(0))).toMatchObject({ is_free: true, allowance_month: null });
    expect(termsOf(UTILITY, inboundAgo(25 * HOUR_MS))).toMatchObject({ is_free: false, allowance_month: null });
    expect(termsOf(TEMPLATE, inboundAgo(0))).toMatchObject({ is_free: false, allowance_month: null });
  });

  it('count a limited allowance in the calendar month of UTC', () => {
    expect(termsOf(TEXT, inboundAgo(0))).toMatchObject({ is_free: false, allowance_month: '2026-11-01' });
    expect(termsOf({ ...TEXT, monthly_limit: 0 }, inboundAgo(0))).toMatchObject({ allowance_month: '2026-11-01' });
  });

  it('name the number as the provider knows it', () => {
    expect(termsOf(TEMPLATE, state({ upstream_number: '+15550001' }))).toMatchObject({ upstream_number: '+15550001' });
  });
});

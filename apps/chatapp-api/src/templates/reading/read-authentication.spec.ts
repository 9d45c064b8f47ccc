import { base, readTemplate, refused } from './read-template.fixture';

const otp = (...components: unknown[]) => readTemplate({ ...base, category: 'authentication', components }).components;

describe('a template for one-time codes', () => {
  const BUTTON = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] };
  const APP = { package_name: 'com.example.app', signature_hash: 'K8a/AINcGX7' };

  it('requires only a name', () => {
    expect(otp({ type: 'BODY', text: '{{1}} is your code' })).toEqual([
      { type: 'BODY', add_security_recommendation: false },
      BUTTON,
    ]);
  });

  it('keeps its options and drops its texts', () => {
    expect(
      otp(
        { type: 'HEADER', text: 'Your code' },
        { type: 'BODY', text: '{{1}}', add_security_recommendation: true },
        { type: 'FOOTER', text: 'Soon', code_expiration_minutes: 90 },
        { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', text: 'Copy', example: '1' }] },
      ),
    ).toEqual([
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 90 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }] },
    ]);
    expect(otp({ type: 'FOOTER', text: 'Soon' })).toHaveLength(2);
  });

  it('supports one-tap autofill', () => {
    const oneTap = { type: 'OTP', otp_type: 'one_tap', text: 'Copy', autofill_text: 'Fill', ...APP };
    const [, buttons] = otp({ type: 'BUTTONS', buttons: [oneTap] });
    expect(buttons).toEqual({
      type: 'BUTTONS',
      buttons: [{ type: 'OTP', otp_type: 'ONE_TAP', text: 'Copy', autofill_text: 'Fill', supported_apps: [APP] }],
    });
    const zeroTap = { type: 'OTP', otp_type: 'ZERO_TAP', zero_tap_terms_accepted: true, supported_apps: [APP] };
    expect(otp({ type: 'BUTTONS', buttons: [zeroTap] })[1]).toEqual({ type: 'BUTTONS', buttons: [zeroTap] });
  });

  it.each<[string, object]>([
    ['an image', { type: 'HEADER', format: 'IMAGE' }],
    ['missing minutes', { type: 'FOOTER', code_expiration_minutes: 0 }],
    ['91 minutes', { type: 'FOOTER', code_expiration_minutes: 91 }],
    ['a fraction of a minute', { type: 'FOOTER', code_expiration_minutes: 1.5 }],
    ['minutes as text', { type: 'FOOTER', code_expiration_minutes: '5' }],
    ['a security recommendation that is text', { type: 'BODY', add_security_recommendation: 'yes' }],
    ['a quick reply', { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'x' }] }],
    ['two buttons', { type: 'BUTTONS', buttons: [{ type: 'OTP' }, { type: 'OTP' }] }],
    ['an unknown OTP type', { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'NO_TAP' }] }],
    ['one-tap without an app', { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'ONE_TAP' }] }],
    [
      'zero-tap without accepted terms',
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'ZERO_TAP', supported_apps: [APP] }] },
    ],
    [
      'a hash that is too short',
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'ONE_TAP', ...APP, signature_hash: 'x' }] },
    ],
  ])('rejects %s', (_, component) => refused(() => otp(component)));
});

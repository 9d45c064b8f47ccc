import type { Field } from '../fields';

const MAX_MINUTES = 90;

/** Authentication templates: the provider supplies the text, so the components have options instead of texts. */
export function checkAuthenticationComponents(components: Field, ofType: (type: string) => Field | undefined): void {
  if (ofType('HEADER')) throw components.wrong('must have no HEADER in the category AUTHENTICATION');
  const body = ofType('BODY')?.object(['type', 'add_security_recommendation']);
  const recommendation = body?.at('add_security_recommendation');
  if (recommendation?.isGiven && typeof recommendation.value !== 'boolean') {
    throw recommendation.wrong('must be true or false');
  }
  const minutes = ofType('FOOTER')?.object(['type', 'code_expiration_minutes']).at('code_expiration_minutes');
  if (minutes) checkMinutes(minutes);
  const buttons = ofType('BUTTONS');
  if (!buttons) throw components.wrong('must have BUTTONS with a button of the type OTP');
  for (const button of buttons.at('buttons').items(1, 1)) checkOneTimeCodeButton(button);
}

function checkMinutes(minutes: Field): void {
  const { value } = minutes;
  if (!minutes.isGiven) throw minutes.missing();
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > MAX_MINUTES) {
    throw minutes.wrong(`must be a whole number from 1 to ${MAX_MINUTES}`);
  }
}

function checkOneTimeCodeButton(button: Field): void {
  button.object().at('type').oneOf(['OTP']);
  const kind = button.at('otp_type').oneOf(['COPY_CODE', 'ONE_TAP', 'ZERO_TAP']);
  button.at('text').optionalText(25);
  button.at('autofill_text').optionalText(25);
  if (kind === 'COPY_CODE') return;
  // The older notation describes one app in the button itself.
  const apps = button.at('supported_apps').isGiven ? button.at('supported_apps').items(1, 5) : [button];
  for (const app of apps) {
    app.object().at('package_name').text(224);
    app.at('signature_hash').text(11);
  }
  if (kind === 'ZERO_TAP' && button.at('zero_tap_terms_accepted').value !== true) {
    throw button.at('zero_tap_terms_accepted').wrong('must be true');
  }
}

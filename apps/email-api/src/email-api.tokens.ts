export const EMAIL_API_SETTINGS = Symbol('EmailApiSettings');

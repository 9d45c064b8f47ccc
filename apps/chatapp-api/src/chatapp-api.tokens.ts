export const CHATAPP_API_SETTINGS = Symbol('ChatappApiSettings');

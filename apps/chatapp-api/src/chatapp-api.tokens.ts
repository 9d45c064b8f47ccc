export const CHATAPP_API_CONFIG = Symbol('ChatappApiConfig');

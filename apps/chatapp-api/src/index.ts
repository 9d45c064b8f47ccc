export { chatappApi } from './chatapp-api.service';

export { chatappHook } from './chatapp-hook.service';

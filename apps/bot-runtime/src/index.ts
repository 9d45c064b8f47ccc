export { botRuntime } from './bot-runtime.service';

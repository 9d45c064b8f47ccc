export { accountApi } from './account-api.service';

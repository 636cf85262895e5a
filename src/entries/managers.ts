// `data-client-auth/managers`: managers of data-client that live as long as an identity.
export type { StoreManager } from '../dataClient/connectManagers.js';
export { managers, type Identity, type Managers } from '../providers/managers.js';

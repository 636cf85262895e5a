import { notifyListeners } from '../../notifyListeners.js';

/** Calls back the app. What it throws is the app's error, and is reported like any uncaught one: what has been done stays done. */
export function tellApp(tell: () => void): void {
  notifyListeners(new Set([tell]));
}

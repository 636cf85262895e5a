import { useEffect, useState } from 'react';
import { useAccessToken } from '../../../src/index.js';
import { openNewsSocket } from '../../support/openNewsSocket.js';

export function LiveNews() {
  const token = useAccessToken();
  const [news, setNews] = useState('Not connected.');
  // `openNewsSocket` returns the function that closes the socket.
  useEffect(() => (token === undefined ? undefined : openNewsSocket(token, setNews)), [token]);
  return <p>{news}</p>;
}

import { render } from 'preact';
import { App } from './shell/app.js';
import './style/console.css';

const place = document.getElementById('console');
if (place !== null) render(<App />, place);

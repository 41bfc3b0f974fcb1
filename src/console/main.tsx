import { render } from 'preact';
import { App } from './shell/app.js';
import './style/console.css';

const root = document.getElementById('console');
if (root !== null) render(<App />, root);

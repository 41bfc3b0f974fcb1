export const ReplaysPage = () => <main class="page" id="main"><h1>ReplaysPage</h1></main>;

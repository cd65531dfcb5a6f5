import { mount } from "svelte";
import "./theme.css";
import App from "./App.svelte";

const target = document.getElementById("page");
if (target) mount(App, { target });

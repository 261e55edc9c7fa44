/** A Spanish project: the online shop of a pottery workshop. Paths lie below the project; `{today-3}` stands for the date three days ago. */
export const tiendaCeramica: Readonly<Record<string, string>> = {
  "status.md": `---
project: tienda-ceramica
type: status
updated: {today-1}
owner: lucía
tags: [tienda, web]
---
# Tienda de cerámica

Tienda en línea de un taller de cerámica artesanal: catálogo, carrito, envíos y devoluciones.

## Estado actual
El catálogo y los gastos de envío ya están en producción. Ahora guardamos el carrito entre sesiones (003), para que nadie pierda su compra cuando caduca la sesión.

- Hechas: 001, 002
- En curso: 003
- Bloqueada: 004
- Pendientes: 005, 006

## Bloqueos
- 004 Pago con tarjeta: el banco aún no ha enviado las credenciales del entorno de pruebas.

## Próximo
1. Fusionar el carrito anónimo con el de la cuenta (003).
2. Empezar la búsqueda sin acentos (005), que no depende de nada pendiente.
`,
  "tasks/001-publicar-el-catalogo-de-productos.md": `---
tags: [catálogo, web]
owner: lucía
updated: {today-25}
---
# Task: Publicar el catálogo de productos

Status: done

## Objective
Mostrar las piezas con fotos, medidas y existencias, y avisar cuando una pieza es única.

## Context
- Related files: \`src/catalogo/lista.ts\`, \`src/catalogo/ficha.ts\`

## Steps
1. [x] Definir la tabla \`productos\` y sus variantes
2. [x] Generar las miniaturas al subir cada foto
3. [x] Marcar las piezas únicas como agotadas al venderse

## Acceptance Criteria
- [x] La portada carga en menos de dos segundos con una conexión 3G
- [x] Todas las fotos tienen texto alternativo
`,
  "tasks/002-calcular-los-gastos-de-envio.md": `---
tags: [envíos]
owner: andrés
updated: {today-9}
---
# Task: Calcular los gastos de envío

Status: done

## Objective
Enseñar el precio del envío antes de pedir ningún dato personal, según el peso y la zona.

## Context
- Related files: \`src/envios/tarifas.ts\`
- Dependencies: 001-publicar-el-catalogo-de-productos

## Steps
1. [x] Cargar las tarifas por zona: península, islas y extranjero
2. [x] Sumar el peso del embalaje de las piezas frágiles
3. [x] Ofrecer la recogida gratuita en el taller

## Acceptance Criteria
- [x] El total no cambia entre el carrito y la confirmación
- [x] Los pedidos de más de 80 € no pagan envío en la península

## Notes
Las tarifas vigentes están en \`references/tarifas-de-envio.md\`.
`,
  "tasks/003-guardar-el-carrito-entre-sesiones.md": `---
tags: [carrito, sesión]
owner: lucía
priority: high
due: {today+6}
---
# Task: Guardar el carrito entre sesiones

Status: in-progress

## Objective
Conservar el carrito durante treinta días aunque la sesión caduque o la persona cambie de dispositivo.

## Context
- Related files: \`src/carrito/almacen.ts\`, \`src/carrito/fusion.ts\`
- Dependencies: 001-publicar-el-catalogo-de-productos

## Steps
1. [x] Guardar el carrito en la base de datos y no en la cookie
2. [x] Borrar cada noche los carritos de más de treinta días
3. [ ] Fusionar el carrito anónimo con el de la cuenta al iniciar sesión
4. [ ] Avisar si una pieza se ha agotado mientras tanto

## Acceptance Criteria
- [ ] Al iniciar sesión no se pierde ni se duplica ninguna pieza
- [ ] Una sesión caducada nunca muestra el carrito de otra persona

## Notes
Si la misma pieza está en los dos carritos, gana la cantidad mayor; no se suman.
`,
  "tasks/004-integrar-el-pago-con-tarjeta.md": `---
tags: [pagos, seguridad]
owner: andrés
---
# Task: Integrar el pago con tarjeta

Status: blocked

## Objective
Cobrar con tarjeta mediante la pasarela del banco, sin que los datos de la tarjeta pasen por nuestro servidor.

## Context
- Related files: \`src/pagos/pasarela.ts\`
- Dependencies: 002-calcular-los-gastos-de-envio, 003-guardar-el-carrito-entre-sesiones

## Steps
1. [x] Pedir al banco el acceso al entorno de pruebas
2. [ ] Firmar cada petición y comprobar la firma de la respuesta
3. [ ] Tratar los pagos que se quedan a medias

## Acceptance Criteria
- [ ] Un pago rechazado conserva el carrito
- [ ] Pulsar dos veces el botón no cobra dos veces

## Notes
Bloqueada: faltan las credenciales de prueba del banco.
`,
  "tasks/005-anadir-busqueda-sin-acentos.md": `---
tags: [búsqueda]
priority: medium
---
# Task: Añadir búsqueda sin acentos

Status: pending

## Objective
Que quien escriba «jarron» o «TETERA» encuentre «jarrón» y «tetera», también desde el móvil.

## Context
- Dependencies: 001-publicar-el-catalogo-de-productos

## Steps
1. [ ] Quitar los acentos y las mayúsculas al indexar y al consultar
2. [ ] Conservar la eñe en el texto que se muestra
3. [ ] Sugerir piezas parecidas cuando no hay resultados

## Acceptance Criteria
- [ ] «porcelana azul» devuelve primero las piezas que cumplen ambas palabras
- [ ] La respuesta tarda menos de 100 ms con mil productos
`,
  "tasks/006-gestionar-las-devoluciones.md": `---
tags: [devoluciones, correo]
---
# Task: Gestionar las devoluciones

Status: pending

## Objective
Permitir que cada cliente pida una devolución desde su pedido, sin tener que escribir un correo.

## Context
- Dependencies: 004-integrar-el-pago-con-tarjeta

## Steps
1. [ ] Añadir el botón «Devolver» a los pedidos de los últimos catorce días
2. [ ] Generar la etiqueta de envío
3. [ ] Reembolsar el importe por el mismo medio de pago

## Acceptance Criteria
- [ ] Las piezas por encargo explican por qué no admiten devolución
- [ ] El reembolso llega antes de catorce días
`,
  "plans/execution-plan.md": `---
type: plan
updated: {today-3}
---
# Execution Plan — tienda-ceramica

## Overview
Abrir la tienda con venta completa antes de la feria de otoño: elegir, pagar, recibir y, si hace falta, devolver.

## Current Status
- done: 001, 002
- in-progress: 003
- blocked: 004
- pending: 005, 006

## Orden
001 → 002 y 003; ambas → 004 → 006. La búsqueda (005) puede avanzar en paralelo mientras llega la respuesta del banco.

## Decisions
- **El carrito vive en el servidor.** La cookie solo lleva un identificador; así cabe cualquier pedido y se puede recuperar en otro dispositivo.
- **Pasarela del banco en vez de formulario propio.** Evita guardar datos de tarjetas y simplifica la auditoría.
- **Precios con IVA incluido.** Es lo que espera quien compra; la factura lo desglosa.
- **Sin cuenta obligatoria.** Registrarse es opcional y se ofrece después de pagar.
`,
  "sessions/{today-9}.md": `# Session Log - {today-9}

## Lo que hice
- Terminé el cálculo de los gastos de envío (002), con el embalaje de las piezas frágiles.
- Corregí el redondeo: el total salía un céntimo más alto con tres tazas.

## Próximo
- Empezar a guardar el carrito en la base de datos (003).
`,
  "sessions/{today-3}.md": `# Session Log - {today-3}

## Lo que hice
- El carrito ya no está en la cookie: pasó a la tabla \`carritos\`.
- Programé la limpieza nocturna de carritos antiguos.

## Bloqueado por
- El banco no contesta; sin credenciales no se puede probar el pago con tarjeta (004).

## Próximo
- Decidir cómo se fusionan dos carritos al iniciar sesión.
`,
  "sessions/{today-1}.md": `# Session Log - {today-1}

## Lo que hice
- Reproduje el error de la sesión caducada: al volver a entrar se creaba un carrito vacío y el anterior quedaba huérfano.
- Decidí la regla de fusión: gana la cantidad mayor de cada pieza.

## Bloqueado por
- Sigue pendiente la respuesta del banco.

## Próximo
- Escribir la fusión con pruebas y enseñársela a Andrés.
`,
  "references/tarifas-de-envio.md": `---
type: reference
tags: [envíos, tarifas]
updated: {today-12}
---
# Tarifas de envío

Precios con IVA. El peso incluye el embalaje: 300 g más por cada pieza frágil.

| Zona | Hasta 2 kg | Hasta 5 kg | Hasta 10 kg | Plazo |
|---|---|---|---|---|
| Península | 4,90 € | 6,50 € | 9,80 € | 48 horas |
| Islas | 8,90 € | 12,40 € | 19,00 € | 5 días |
| Extranjero | 14,50 € | 21,00 € | 34,00 € | 10 días |

## Cálculo

\`\`\`ts
function gastosDeEnvio(pesoEnGramos: number, zona: Zona, total: number): number {
  if (zona === "peninsula" && total >= 8000) return 0;
  return tarifas[zona].find((tramo) => pesoEnGramos <= tramo.hasta)?.precio ?? presupuesto();
}
\`\`\`

Por encima de 10 kg, \`presupuesto()\` pide un precio a mano. Los importes van en céntimos.
`,
  "references/politica-de-devoluciones.md": `---
type: reference
updated: {today-40}
---
# Política de devoluciones

## Plazos
- Catorce días naturales desde la entrega, sin dar explicaciones.
- Treinta días si la pieza llegó rota: basta con una foto del paquete.

## Excepciones
Las piezas por encargo o con nombre grabado no admiten devolución, salvo defecto de fabricación.

## Consulta para atención al cliente

\`\`\`sql
/* Fila de ejemplo, inventada:
Status: fake
Pedido: 1042
*/
SELECT p.id, p.entregado_el
FROM pedidos p
WHERE p.cliente_id = $1
  AND p.entregado_el > current_date - 14;
\`\`\`
`,
  "changelog/v1.2.0.md": `---
type: changelog
updated: {today-8}
---
# v1.2.0 ({today-8})

## Añadido
- Gastos de envío por peso y zona, visibles desde el carrito.
- Recogida gratuita en el taller.

## Corregido
- El total ya no cambia un céntimo por el redondeo.
- Las fotos verticales no se recortan en la ficha del producto.
`,
  "reports/carritos-abandonados.md": `---
type: report
updated: {today-5}
---
# Informe: carritos abandonados

Datos de las últimas cuatro semanas, antes de guardar el carrito entre sesiones.

| Motivo | Carritos | Porcentaje |
|---|---|---|
| La sesión caducó | 118 | 41 % |
| Gastos de envío altos | 83 | 29 % |
| Faltaba su medio de pago | 61 | 21 % |
| Otros | 26 | 9 % |

## Conclusión
La sesión caducada es la causa principal, por delante del precio del envío. Por eso la tarea 003 va antes que la búsqueda.
`,
};
